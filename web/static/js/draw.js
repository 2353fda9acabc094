// Forms whose answer the server draws while one types: data-draw says where, data-into what.
// With data-drawn it is there already, and its buttons ask too.
import { settle } from "./parts.js";
import { redraw } from "./shell.js";
import { $, $$, on } from "./strings.js";

/** Draw the form's answer, or what one of its buttons asks for. */
export function draw(form, button) {
  clearTimeout(form.timer);
  form.timer = setTimeout(
    () => {
      const { draw: path, into } = form.dataset,
        part = $(`#${into}`),
        said = [...new FormData(form, button)].filter(([, value]) => value);
      settle(form.elements);
      Object.assign(part.dataset, {
        live: `${path}?${new URLSearchParams(said)}`,
        when: part.dataset.when ?? "none",
      });
      redraw(part);
    },
    button ? 0 : 120,
  );
}

// Not "change": leaving a field for a die's key would draw it again, without the die.
on("input", ({ target: { form } }) => {
  if (form?.dataset.draw) draw(form);
});
on("submit", (event) => {
  if (event.target.dataset.drawn === undefined) return;
  event.preventDefault();
  draw(event.target, event.submitter);
});
$$("form[data-draw]:not([data-drawn])").forEach((form) => draw(form));
