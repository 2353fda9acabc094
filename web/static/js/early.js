// A button pressed before the modules are there is pressed once they are.
{
  const early = [],
    wait = (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      event.stopPropagation();
      event.preventDefault();
      early.push(button);
    };
  addEventListener("click", wait, true);
  addEventListener("DOMContentLoaded", () => {
    removeEventListener("click", wait, true);
    early.forEach((button) => button.click());
  });
}
