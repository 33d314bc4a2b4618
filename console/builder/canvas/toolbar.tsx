/** The tools of the canvas: arrange, find, zoom. */

import { useState } from 'react'
import { keysOf } from '../../actions/shortcuts.ts'
import { IconButton } from '../../ui/button.tsx'
import { FitIcon, MinusIcon, PlusIcon, SearchIcon, TidyIcon } from '../../ui/icons.tsx'
import { Picker } from '../../ui/picker.tsx'
import { describeNode } from '../state/names.ts'
import { useSession } from '../state/session.tsx'
import { nameNode, texts } from '../texts.ts'
import styles from './canvas.module.css'
import { getNodeIcon } from './node-icons.tsx'
import type { CanvasActions } from './use-canvas-actions.ts'

export function Toolbar({ canvas }: { canvas: CanvasActions }) {
  const { editor } = useSession()
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={texts().canvas}>
      {editor.canEdit && (
        <IconButton icon={TidyIcon} label={texts().tidy} onClick={() => void canvas.tidy()} />
      )}
      <IconButton
        icon={SearchIcon}
        label={texts().find}
        keys={keysOf('builder-find')}
        onClick={canvas.openFind}
      />
      <IconButton icon={FitIcon} label={texts().fit} keys={keysOf('builder-fit')} onClick={canvas.fit} />
      <IconButton
        icon={MinusIcon}
        label={texts().zoomOut}
        keys={keysOf('builder-zoom-out')}
        onClick={canvas.zoomOut}
      />
      <IconButton
        icon={PlusIcon}
        label={texts().zoomIn}
        keys={keysOf('builder-zoom-in')}
        onClick={canvas.zoomIn}
      />
      {canvas.isFinding && <FindPicker onFound={canvas.reveal} onClose={canvas.closeFind} />}
    </div>
  )
}

function FindPicker({ onFound, onClose }: { onFound: (id: string) => void; onClose: () => void }) {
  const { editor } = useSession()
  const [nodes] = useState(() => editor.get().nodes)
  return (
    <Picker
      title={texts().find}
      choices={nodes.map(node => ({
        id: node.id,
        label: `${nameNode(node.type)} ${describeNode(node)}`.trim(),
        icon: getNodeIcon(node.type),
        onSelect: () => {
          editor.select([node.id])
          onFound(node.id)
        },
      }))}
      onClose={onClose}
    />
  )
}
