/** Styles of the launcher. They are adopted by its shadow root: the policy of the page needs no exception for them. */
const css = `
:host{all:initial;position:fixed;z-index:2147483000;bottom:calc(16px + 72px*var(--n))}
button{position:relative;display:flex;align-items:center;gap:8px;height:56px;padding:0 16px;margin:0;border:0;border-radius:28px;
background:var(--accent);color:var(--on-accent);cursor:pointer;font:600 16px system-ui,sans-serif;box-shadow:0 8px 24px #0003}
button:hover{filter:brightness(1.08)}
button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
svg{width:24px;height:24px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
b{position:absolute;top:-4px;right:-4px;min-width:10px;padding:0 6px;border-radius:11px;background:#b3261e;color:#fff;font-size:12px;line-height:22px}
iframe{position:fixed;z-index:1;bottom:88px;width:400px;height:min(704px,100vh - 112px);border:0;border-radius:16px;
color-scheme:normal;box-shadow:0 8px 48px #0004;transition:opacity .15s,transform .15s}
.shut{visibility:hidden;opacity:0;transform:translateY(8px)}
@media(max-width:479px){iframe{inset:0!important;width:100%;height:100dvh;border-radius:0}}
@media(prefers-reduced-motion){iframe{transition:none}}
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
