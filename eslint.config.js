import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2023, sourceType: "module" },
    rules: {
      curly: "error",
      eqeqeq: "error",
      "id-length": ["error", { min: 2, exceptions: ["x", "y", "d", "n", "r", "t", "_"] }],
      "no-cond-assign": ["error", "always"],
      "no-multi-assign": "error",
      "no-nested-ternary": "error",
      "no-return-assign": "error",
      "no-sequences": "error",
      "no-shadow": "error",
      "no-unused-expressions": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "one-var": ["error", "never"],
      "prefer-const": "error",
    },
  },
  {
    files: ["web/static/**/*.js"],
    languageOptions: { globals: globals.browser },
  },
];
