/** The texts of the versions: list, comparison and restoring. */
import { screenTexts } from '../../i18n/i18n.ts'

const en = {
  versions: 'Versions',
  none: 'Nothing has been published yet. Each publication becomes a version.',
  version: (n: number) => `Version ${n}`,
  latest: 'Latest',
  compareWith: (n: number) => `Compare with ${n}`,
  compare: 'Compare versions',
  sides: { from: 'From', to: 'To' },
  same: 'These versions do the same.',
  counts: (added: number, removed: number, changed: number) =>
    `${added} added, ${removed} removed, ${changed} changed`,
  moved: (n: number) => (n === 1 ? '1 node was only moved.' : `${n} nodes were only moved.`),
  kinds: { added: 'Added', removed: 'Removed', changed: 'Changed' },
  changes: 'Changes',
  changesOfDraft: 'Changes since the published version',
  connection: 'Connection',
  drawing: 'Drawing of the changes',
  restore: 'Restore',
  restoreQuestion: (n: number) => `Restore version ${n}?`,
  restoreHint:
    'The draft is replaced with this version. Nothing is published, and runs in progress keep their version.',
  restored: (n: number) => `The draft is version ${n} now`,
  more: 'Show more',
}

const de: typeof en = {
  versions: 'Versionen',
  none: 'Noch nichts veröffentlicht. Jede Veröffentlichung wird eine Version.',
  version: n => `Version ${n}`,
  latest: 'Neueste',
  compareWith: n => `Mit ${n} vergleichen`,
  compare: 'Versionen vergleichen',
  sides: { from: 'Von', to: 'Bis' },
  same: 'Diese Versionen tun das Gleiche.',
  counts: (added, removed, changed) => `${added} hinzugefügt, ${removed} entfernt, ${changed} geändert`,
  moved: n => (n === 1 ? '1 Knoten wurde nur verschoben.' : `${n} Knoten wurden nur verschoben.`),
  kinds: { added: 'Hinzugefügt', removed: 'Entfernt', changed: 'Geändert' },
  changes: 'Änderungen',
  changesOfDraft: 'Änderungen seit der veröffentlichten Version',
  connection: 'Verbindung',
  drawing: 'Zeichnung der Änderungen',
  restore: 'Wiederherstellen',
  restoreQuestion: n => `Version ${n} wiederherstellen?`,
  restoreHint:
    'Der Entwurf wird durch diese Version ersetzt. Nichts wird veröffentlicht, und laufende Durchläufe behalten ihre Version.',
  restored: n => `Der Entwurf ist jetzt Version ${n}`,
  more: 'Mehr anzeigen',
}

export const texts = screenTexts(en, de)
