/** Lists the keys of all actions that can run now. */
import { useStore } from '../app/store.ts'
import { t } from '../i18n/i18n.ts'
import { Keys } from '../ui/hints/keys.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import styles from '../ui/pickers/picker.module.css'
import { type Action, actions } from './registry.ts'
import { getKeys } from './shortcuts.ts'

export function ShortcutList({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title={t.shortcuts} open={open} onClose={onClose}>
      <Content />
    </Dialog>
  )
}

function Content() {
  const listed = useStore(actions).filter(action => getKeys(action))
  return [...new Set(listed.map(({ group }) => group))].map(group => (
    <Group key={group} title={group} listed={listed.filter(action => action.group === group)} />
  ))
}

/** Actions with the same label, such as those of the four arrow keys, share a row. */
function Group({ title, listed }: { title: string; listed: readonly Action[] }) {
  return (
    <section>
      <h3 className={styles.group}>{title}</h3>
      <ul>
        {[...new Set(listed.map(({ label }) => label))].map(label => (
          <li key={label} className={styles.keys}>
            <span>{label}</span>
            <span className={styles.alternatives}>
              {listed
                .filter(action => action.label === label)
                .map(action => (
                  <Keys key={action.id} keys={getKeys(action)!} />
                ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
