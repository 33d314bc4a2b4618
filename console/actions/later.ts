/** The dialogs that search, in one file that is loaded after the first screen. */
export { PickerDialog } from '../ui/pickers/picker-dialog.tsx'
export { Palette } from './palette.tsx'
export { ShortcutList } from './shortcut-list.tsx'
