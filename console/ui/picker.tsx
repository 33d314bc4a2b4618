/** Chooses from a list that the user narrows by typing: the same for people, teams, labels, priorities and times. */
import type { Icon } from './icons.tsx'
import { lazyPart } from './lazy-part.tsx'

export interface Choice {
  id: string
  label: string
  /** Shown beside the label, such as a date. */
  hint?: string | undefined
  group?: string | undefined
  icon?: Icon | undefined
  checked?: boolean | undefined
  onSelect: () => void
}

export interface PickerProps {
  title: string
  choices: readonly Choice[]
  onClose: () => void
  /** Stays open after a choice, where several can be chosen. */
  isMultiple?: boolean
  /** Offers to create an option with the typed name. */
  create?: { label: (text: string) => string; run: (text: string) => void } | undefined
}

export const Picker = lazyPart<PickerProps>(() =>
  import('../actions/later.ts').then(({ PickerDialog }) => PickerDialog),
)
