/**
 * Saves the draft two seconds after the last change, one request at a time, with the revision that it is based on. Changes of
 * other editors are merged by node as they arrive; a node that both changed waits for the user's decision.
 */
import { ApiError } from '../../api/errors.ts'
import { connection, type Frame, onFrames } from '../../api/realtime.ts'
import { createStore } from '../../app/store.ts'
import { showToast } from '../../ui/overlays/toasts.ts'
import type { Definition } from '../model/definition.ts'
import { rebase } from '../model/history.ts'
import { type Conflict, isSameDefinition, mergeDefinitions } from '../model/merge.ts'
import { texts } from '../texts.ts'
import type { Editor } from './editor.ts'
import { openLocalCopy } from './local-copy.ts'
import { fetchWorkflow, saveWorkflow, type Workflow } from './workflow-api.ts'

export interface SaveState {
  /** The last version of the service that was read or written. */
  workflow: Workflow
  status: 'saved' | 'saving' | 'offline' | 'failed'
  problem?: ApiError | undefined
  /** Nodes that another editor changed too. Nothing is saved until the user has decided. */
  conflict?: { conflicts: Conflict[]; theirs: Workflow } | undefined
}

type Choices = ReadonlyMap<string, 'mine' | 'theirs'>

const saveDelayMs = 2_000
const retryDelayMs = 3_000
const copyDelayMs = 200

export class Saver {
  readonly state
  readonly copy
  readonly #editor: Editor
  readonly #stops: (() => void)[]
  #saveTimer: ReturnType<typeof setTimeout> | undefined
  #copyTimer: ReturnType<typeof setTimeout> | undefined
  /** Requests run one after the other: a response never overtakes a save. */
  #work: Promise<void> = Promise.resolve()
  #isStopped = false
  #holdsCopy = false

  constructor(editor: Editor, workflow: Workflow) {
    this.#editor = editor
    this.copy = openLocalCopy(editor.workflowId)
    this.state = createStore<SaveState>({ workflow, status: 'saved' })
    const onHide = () => this.#leave()
    addEventListener('pagehide', onHide)
    this.#stops = [
      editor.history.subscribe(() => this.#onChange()),
      editor.name.subscribe(() => this.#onChange()),
      onFrames(frames => this.#onFrames(frames)),
      connection.subscribe(() => {
        if (connection.get() === 'live' && this.#isDirty()) this.#schedule(0)
      }),
      () => removeEventListener('pagehide', onHide),
    ]
  }

  /** Saves now; returns whether the service has everything. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#saveTimer)
    await this.#enqueue(() => this.#save())
    return !this.#isDirty() && !this.state.get().conflict
  }

  /** Reads the workflow again. */
  refresh(): Promise<void> {
    return this.#enqueue(() => this.#read())
  }

  /** Decides the conflict: the side that is kept, by node. */
  resolve(choices: Choices): void {
    const { conflict } = this.state.get()
    if (conflict) this.#apply(conflict.theirs, choices)
  }

  /** While it holds, the copy of an earlier visit is neither replaced nor removed. */
  holdCopy(holds: boolean): void {
    this.#holdsCopy = holds
  }

  /** Saves what is left, and stops. */
  stop(): void {
    this.#leave()
    for (const stop of this.#stops) stop()
    void this.#work.then(() => {
      this.#isStopped = true
      clearTimeout(this.#saveTimer)
    })
  }

  get #base(): Workflow {
    return this.state.get().workflow
  }

  #set(change: Partial<SaveState>): void {
    this.state.update(before => ({ ...before, ...change }))
  }

  #isDirty(): boolean {
    const { canEdit, name, get } = this.#editor
    const { name: saved, definition } = this.#base
    return canEdit && (name.get().trim() !== saved || !isSameDefinition(get(), definition))
  }

  #leave(): void {
    this.#keepCopy()
    if (this.#isDirty()) void this.flush()
  }

  #keepCopy(): void {
    clearTimeout(this.#copyTimer)
    if (this.#holdsCopy) return
    const { get, name } = this.#editor
    if (this.#isDirty()) {
      const { revision, definition: base, name: baseName } = this.#base
      const at = new Date().toISOString()
      this.copy.write({ revision, base, baseName, definition: get(), name: name.get(), at })
    } else this.copy.remove()
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#saveTimer)
    if (!this.#isStopped) this.#saveTimer = setTimeout(() => void this.flush(), delayMs)
  }

  #onChange(): void {
    clearTimeout(this.#copyTimer)
    this.#copyTimer = setTimeout(() => this.#keepCopy(), copyDelayMs)
    if (!this.#isDirty()) return
    if (this.state.get().status === 'saved') this.#set({ status: 'saving', problem: undefined })
    this.#schedule(saveDelayMs)
  }

  async #save(): Promise<void> {
    if (this.#isStopped || this.state.get().conflict) return
    if (!this.#isDirty()) return this.#showNothingLeft()
    const { kind, workflowId, name, get } = this.#editor
    const before = this.#base
    const [definition, nextName] = [get(), name.get().trim() || before.name]
    this.#set({ status: 'saving' })
    try {
      const saved = await saveWorkflow(kind, workflowId, before.revision, {
        ...(nextName === before.name ? {} : { name: nextName }),
        ...(isSameDefinition(definition, before.definition) ? {} : { definition }),
      })
      this.#set({ workflow: { ...saved, definition }, status: 'saved', problem: undefined })
      if (name.get().trim() === '') name.set(nextName)
      this.#settle(saveDelayMs)
    } catch (error) {
      await this.#onFailure(ApiError.from(error))
    }
  }

  /** A change that was undone before it was saved leaves nothing to save. */
  #showNothingLeft(): void {
    const { status } = this.state.get()
    if (status === 'saving' || status === 'offline') this.#set({ status: 'saved', problem: undefined })
  }

  async #onFailure(problem: ApiError): Promise<void> {
    if (problem.status === 412) return this.#read()
    this.#set({ status: problem.isTemporary ? 'offline' : 'failed', problem })
    this.#keepCopy()
    if (problem.isTemporary) this.#schedule(retryDelayMs)
  }

  async #read(): Promise<void> {
    const { kind, workflowId, catalogue } = this.#editor
    try {
      this.#receive(await fetchWorkflow(kind, workflowId, catalogue))
    } catch (error) {
      const problem = ApiError.from(error)
      if (problem.status === 404) this.#set({ status: 'failed', problem })
      else if (this.#isDirty()) this.#schedule(retryDelayMs)
    }
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(() => (this.#isStopped ? undefined : task()))
    return this.#work
  }

  /** Changes of properties other than the definition, such as the status, need no merge. */
  #receive(theirs: Workflow): void {
    const { definition } = this.#base
    if (theirs.revision < this.#base.revision) return
    if (isSameDefinition(theirs.definition, definition)) {
      this.#takeName(theirs)
      this.#set({ workflow: { ...theirs, definition } })
      this.#settle(0)
      return
    }
    const { conflicts } = mergeDefinitions(definition, this.#editor.get(), theirs.definition)
    if (conflicts.length > 0) this.#set({ conflict: { conflicts, theirs } })
    else this.#apply(theirs)
  }

  #takeName(theirs: Workflow): void {
    const { name } = this.#editor
    const own = name.get().trim()
    if (own === this.#base.name) name.set(theirs.name)
    else if (theirs.name !== this.#base.name && theirs.name !== own)
      showToast({ text: texts().otherName(theirs.name) })
  }

  #apply(theirs: Workflow, choices?: Choices): void {
    const { definition: base } = this.#base
    this.#takeName(theirs)
    this.#set({ workflow: theirs, conflict: undefined })
    const merge = (own: Definition) => {
      const merged = mergeDefinitions(base, own, theirs.definition, choices).definition
      return isSameDefinition(merged, theirs.definition) ? theirs.definition : merged
    }
    this.#editor.history.update(history => rebase(history, merge))
    this.#settle(0)
  }

  /** Changes made during a request are saved by the next one. */
  #settle(delayMs: number): void {
    this.#keepCopy()
    if (!this.#isDirty()) this.#set({ status: 'saved', problem: undefined })
    else {
      this.#set({ status: 'saving' })
      this.#schedule(delayMs)
    }
  }

  #onFrames(frames: readonly Frame[]): void {
    const { kind, workflowId } = this.#editor
    const isRestart = frames.some(({ type }) => type === 'resync' || type === 'hello')
    const isNewer = () =>
      frames.some(
        ({ type, data }) =>
          type === 'changed' &&
          data.kind === kind &&
          data.id === workflowId &&
          (data.revision ?? Number.POSITIVE_INFINITY) > this.#base.revision,
      )
    // Compared again when its turn comes: the frame of an own save may arrive before the response.
    if (isRestart || isNewer())
      void this.#enqueue(async () => {
        if (isRestart || isNewer()) await this.#read()
      })
  }
}
