// Clicks on buttons before the modules have loaded are repeated once they have. Not a module, so that it runs at once.
{
  /** @type {HTMLButtonElement[]} */
  const clicked = [];

  /** @param {MouseEvent} event */
  const postpone = (event) => {
    const button = event.target instanceof Element && event.target.closest("button");
    if (!button) {
      return;
    }
    event.stopPropagation();
    event.preventDefault();
    clicked.push(button);
  };

  addEventListener("click", postpone, true);
  addEventListener("DOMContentLoaded", () => {
    removeEventListener("click", postpone, true);
    for (const button of clicked) {
      button.click();
    }
  });
}
