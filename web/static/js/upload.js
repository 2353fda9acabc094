// A form with a file in it sends the file as it is.
import { toast } from "./act.js";
import { t } from "./strings.js";

document.addEventListener("submit", async (event) => {
  const form = event.target, file = form.querySelector("[type=file]")?.files[0];
  if (!file) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const { act, done, go } = form.dataset, [method, path] = act.split(" "), fault = form.querySelector("[data-fault]");
  const answer = await fetch(path, { method, body: file, headers: { "Content-Type": "application/octet-stream" } }).catch(() => null);
  const said = (await answer?.json().catch(() => null)) ?? {};
  fault.hidden = Boolean(answer?.ok);
  fault.textContent = said.error?.message ?? t("common.no_answer");
  if (!answer?.ok) return;
  form.reset();
  toast(done, "good");
  if (go) location.assign(go);
}, true);
