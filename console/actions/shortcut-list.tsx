/** Lists the keys of all actions that can run now. */
import { useStore } from '../app/store.ts'
import { t } from '../i18n/i18n.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Keys } from '../ui/keys.tsx'
import styles from '../ui/picker.module.css'
import { actions } from './registry.ts'
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
    <section key={group}>
      <h3 className={styles.group}>{group}</h3>
      <ul>
        {listed
          .filter(action => action.group === group)
          .map(action => (
            <li key={action.id} className={styles.keys}>
              <span>{action.label}</span>
              <Keys keys={getKeys(action)!} />
            </li>
          ))}
      </ul>
    </section>
  ))
}
