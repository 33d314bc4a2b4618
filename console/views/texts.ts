import { screenTexts } from '../i18n/i18n.ts'

const en = {
  noSavedViews: 'No saved views yet. Filter the list, then save it as a view.',
  viewName: 'Name',
  nameOfView: (name: string) => `Name of the view “${name}”`,
  moveUp: (name: string) => `Move “${name}” up`,
  moveDown: (name: string) => `Move “${name}” down`,
  deleteView: (name: string) => `Delete the view “${name}”`,
  visibleTo: 'Visible to',
  scopes: { me: 'Only me', team: 'Teams', workspace: 'Everyone' },
}

const de: typeof en = {
  noSavedViews:
    'Noch keine gespeicherten Ansichten. Filtern Sie die Liste und speichern Sie sie als Ansicht.',
  viewName: 'Name',
  nameOfView: name => `Name der Ansicht „${name}“`,
  moveUp: name => `„${name}“ nach oben`,
  moveDown: name => `„${name}“ nach unten`,
  deleteView: name => `Ansicht „${name}“ löschen`,
  visibleTo: 'Sichtbar für',
  scopes: { me: 'Nur mich', team: 'Teams', workspace: 'Alle' },
}

export const texts = screenTexts(en, de)
