/** The tools of the canvas: arrange, find, zoom. */

import { useState } from 'react'
import { keysOf } from '../../actions/shortcuts.ts'
import { useMediaQuery } from '../../app/use-media-query.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { FitIcon, MinusIcon, PlusIcon, SearchIcon, TidyIcon } from '../../ui/controls/icons.tsx'
import { useRovingFocus } from '../../ui/focus/use-roving-focus.ts'
import { Picker } from '../../ui/pickers/picker.tsx'
import { describeNode } from '../state/names.ts'
import { useSession } from '../state/session.tsx'
import { nameNode, texts } from '../texts.ts'
import styles from './canvas.module.css'
import { getNodeIcon } from './node-icons.tsx'
import type { CanvasActions } from './use-canvas-actions.ts'

export function Toolbar({ canvas }: { canvas: CanvasActions }) {
  const { editor } = useSession()
  const roving = useRovingFocus('horizontal')
  // Below this width there is no room for the palette, and its style hides it.
  const hasPalette = useMediaQuery('(min-width: 1024px)')
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={texts().canvas} data-area {...roving}>
      {editor.canEdit && !hasPalette && (
        <Button look="plain" icon={PlusIcon} onClick={canvas.addNode}>
          {texts().addNode}
        </Button>
      )}
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
        label: `${nameNode(node.type)} ${describeNode(node, editor.get())}`.trim(),
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
