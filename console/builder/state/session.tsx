/** State that the parts of an open builder share: editor, saver, validator, and the emphasis on the canvas. */
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { hasScope } from '../../api/session.ts'
import { createStore, type Store } from '../../app/store.ts'
import type { Catalogue, WorkflowKind } from '../model/definition.ts'
import type { Numbers } from '../numbers/use-numbers.ts'
import type { Highlight } from '../panel-props.ts'
import { createEditor, type Editor } from './editor.ts'
import { Saver } from './saver.ts'
import { startValidator, type Validator } from './validator.ts'
import type { Workflow } from './workflow-api.ts'

export interface Session {
  editor: Editor
  saver: Saver
  validator: Validator
  highlight: Store<Highlight | null>
  numbers: Store<Numbers | undefined>
  /** Shows a node; set by the view that is open. */
  reveal: Store<((nodeId: string) => void) | undefined>
  /** The field that the settings focus when they show its node. */
  focusField: Store<{ nodeId: string; field: string } | undefined>
  /** The node at which the user wants to start a simulation; the panel takes it when it is open. */
  simulateFrom: Store<string | undefined>
}

const Context = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  return useContext(Context)!
}

interface SessionProviderProps {
  kind: WorkflowKind
  workflow: Workflow
  catalogue: Catalogue
  children: ReactNode
}

export function SessionProvider({ kind, workflow, catalogue, children }: SessionProviderProps) {
  const [session] = useState((): Session => {
    const editor = createEditor(kind, workflow, catalogue, hasScope('journey:update'))
    return {
      editor,
      saver: new Saver(editor, workflow),
      validator: startValidator(editor),
      highlight: createStore<Highlight | null>(null),
      numbers: createStore<Numbers | undefined>(undefined),
      reveal: createStore<((nodeId: string) => void) | undefined>(undefined),
      focusField: createStore<{ nodeId: string; field: string } | undefined>(undefined),
      simulateFrom: createStore<string | undefined>(undefined),
    }
  })
  useEffect(
    () => () => {
      session.saver.stop()
      session.validator.stop()
    },
    [session],
  )
  return <Context value={session}>{children}</Context>
}
