/**
 * Styles of the launcher. They are adopted by its shadow root: the policy of the page needs no exception for them. The
 * transparent outlines are visible with forced colours.
 */
const css = `
:host{all:initial;--b:calc(16px + 72px*var(--n));position:fixed;bottom:var(--b)}
button{position:relative;display:flex;align-items:center;gap:8px;height:56px;padding:0 16px;border:0;border-radius:28px;
background:var(--accent);color:var(--on-accent);cursor:pointer;font:600 16px system-ui,sans-serif;box-shadow:0 8px 32px #0004}
button,iframe{outline:1px solid #0000}
button:hover{filter:brightness(1.08)}
button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
svg{width:24px;height:24px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
b{position:absolute;top:-4px;right:-4px;min-width:10px;padding:0 6px;border-radius:11px;background:#b3261e;color:#fff;font-size:12px;line-height:22px}
iframe{position:fixed;z-index:1;bottom:calc(72px + var(--b));width:400px;height:min(704px,100vh - 96px - var(--b));border:0;border-radius:16px;
box-shadow:0 8px 32px #0004}
.shut{visibility:hidden;opacity:0}
@media(max-width:479px),(max-height:479px){iframe{inset:0!important;width:100%;height:100dvh;border-radius:0}}
@media(prefers-reduced-motion:no-preference){iframe{transition:opacity .15s}}
@media print{:host{display:none}}`

export function adoptStyles(root: ShadowRoot): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
}

/** Returns black or white, whichever is easier to read on the colour. */
export function contrastOn(accent: string): string {
  const [r, g, b] = [1, 3, 5].map(at => (Number.parseInt(accent.slice(at, at + 2), 16) / 255) ** 2.2)
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! > 0.18 ? '#000' : '#fff'
}
