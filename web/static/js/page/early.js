// A button pressed before the modules are there is pressed once they are. Not a module: it runs at once.
{
  /** @type {HTMLButtonElement[]} */
  const pressed = [];

  /** @param {MouseEvent} event */
  const keep = (event) => {
    const button = event.target instanceof Element && event.target.closest("button");
    if (!button) {
      return;
    }
    event.stopPropagation();
    event.preventDefault();
    pressed.push(button);
  };

  addEventListener("click", keep, true);
  addEventListener("DOMContentLoaded", () => {
    removeEventListener("click", keep, true);
    for (const button of pressed) {
      button.click();
    }
  });
}
