import { PlusIcon } from '../../ui/controls/icons.tsx'
import { LeavingButton } from '../../ui/focus/leaving-button.tsx'

/**
 * The button of a page that creates an item of its list: beside the heading, or in the list while it is empty. It gets the focus
 * of the other one when the first item was created or the last one deleted.
 */
export function CreateButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <LeavingButton look="primary" icon={PlusIcon} data-focus="next" onClick={onClick}>
      {label}
    </LeavingButton>
  )
}
