"""The pages: one module with a blueprint for each family."""
