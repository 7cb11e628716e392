/** The link into a group. */
import { joinGroup } from "../api.js";
import { button, element, fill } from "../dom.js";

/** @param {HTMLElement} root */
export function show(root, { token }, app) {
  app.title("Join a group");
  const problem = element("p", { class: "problem", role: "alert" });
  const join = async () => {
    await app.needPlayer();
    await joinGroup(token);
    app.go("/people", { replace: true });
  };
  fill(root, element("section", { class: "panel notice" }, element("h1", {}, "You are invited to a group"),
    element("p", {}, "Its members have boards of their own, on which your ranked runs will stand too."),
    element("p", { class: "actions" }, button("Join", () => join().catch((refusal) => {
      problem.textContent = refusal.message;
    }), "button primary large")), problem));
}
