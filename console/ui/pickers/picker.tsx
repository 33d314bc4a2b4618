/** Chooses from a list that the user narrows by typing: the same for people, teams, labels, priorities and times. */
import { lazyPart } from '../layout/lazy-part.tsx'
import type { PickerProps } from './picker-dialog.tsx'

export type { Choice } from './picker-dialog.tsx'

export const Picker = lazyPart<PickerProps>(() =>
  import('../../actions/later.ts').then(({ PickerDialog }) => PickerDialog),
)
