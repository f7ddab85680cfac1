/** The look of the login's pages: light and dark, no file or font to fetch. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #f4f6f8; --glow: #dfe9f2; --card: #fff; --ink: #14202b;
  --soft: #526170; --line: #dbe2e9; --accent: #0b5f74; --on: #fff; --tint: #e9f3f5; --warn: #9a3412; }
@media (prefers-color-scheme: dark) { :root { --ground: #0e1419; --glow: #15232d; --card: #161e26;
  --ink: #edf2f6; --soft: #9fb0bf; --line: #2b3844; --accent: #5fc3d9; --on: #06222a; --tint: #1a2c35;
  --warn: #fdba74; } }
* { box-sizing: border-box; }
html { min-height: 100%; background: radial-gradient(60rem 40rem at 50% -12rem, var(--glow), transparent) var(--ground); }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center;
  justify-content: center; gap: 28px; padding: 32px 16px; color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.brand { display: flex; align-items: center; gap: 12px; color: var(--accent); }
.brand span { color: var(--ink); font-size: 22px; font-weight: 650; letter-spacing: -0.02em; }
main { width: 100%; max-width: 440px; padding: 36px; background: var(--card); border: 1px solid var(--line);
  border-radius: 18px; box-shadow: 0 1px 2px rgb(15 30 45 / 6%), 0 16px 40px -20px rgb(15 30 45 / 25%); }
h1 { margin: 0 0 8px; font-size: 25px; line-height: 1.25; letter-spacing: -0.015em; text-wrap: balance; }
p { margin: 0; color: var(--soft); text-wrap: pretty; overflow-wrap: anywhere; }
p strong { color: var(--ink); font-weight: 600; }
.trouble h1::before { content: ""; display: block; width: 36px; height: 4px; margin-bottom: 20px;
  border-radius: 2px; background: var(--warn); }
dl { display: grid; grid-template-columns: auto 1fr; gap: 10px 18px; margin: 24px 0 0; padding: 18px 20px;
  background: var(--tint); border-radius: 12px; font-size: 15px; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
dd strong { font-weight: 600; text-transform: capitalize; }
dd small { display: block; color: var(--soft); font-size: 14px; }
ul { display: grid; gap: 12px; margin: 28px 0 0; padding: 0; list-style: none; }
.go { display: flex; align-items: center; justify-content: space-between; gap: 16px; padding: 13px 18px;
  border: 1px solid var(--line); border-radius: 11px; color: var(--ink); font-weight: 550;
  text-decoration: none; overflow-wrap: anywhere; transition: background-color 0.12s, border-color 0.12s; }
.go::after { content: "→" / ""; color: var(--accent); font-weight: 400; }
.go:hover { background: var(--tint); border-color: var(--accent); }
.only { background: var(--accent); border-color: var(--accent); color: var(--on); }
.only::after { color: inherit; }
.only:hover { background: var(--accent); filter: brightness(1.08); }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.note { margin-top: 24px; padding-top: 20px; border-top: 1px solid var(--line); font-size: 14px; }
@media (max-width: 480px) { main { padding: 28px 22px; } }
@media (prefers-reduced-motion: reduce) { .go { transition: none; } }
`;
