/** Counts of runs for each node and edge of a workflow, of the last 30 days, read again while they are shown. */
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import type { WorkflowKind } from '../model/definition.ts'

export interface NodeNumbers {
  /** Of a goal: runs that reached it. */
  entered: number
  waiting: number
  failed: number
  /** Messages that were refused or failed. */
  undelivered: number
  /** Runs that left by an output, by its name. */
  passed: Readonly<Record<string, number>>
}

export type Numbers = ReadonlyMap<string, NodeNumbers>

/** Time between two reads. */
const refreshMs = 5_000

async function fetchNumbers(kind: WorkflowKind, id: string, versionId: string | undefined): Promise<Numbers> {
  const params = { path: { id }, query: versionId ? { versionId } : {} }
  const { nodes }: Schemas['WorkflowNodeStats'] =
    kind === 'journey'
      ? await call(api.GET('/journeys/{id}/stats', { params }))
      : await call(api.GET('/chatbots/{id}/stats', { params }))
  return new Map(nodes.map(({ nodeId, ...numbers }) => [nodeId, numbers]))
}

/** Returns the counts by node id; undefined while they are loading or `isOn` is false. */
export function useNumbers(
  kind: WorkflowKind,
  id: string,
  isOn: boolean,
  versionId?: string,
): Numbers | undefined {
  const [numbers, setNumbers] = useState<Numbers>()
  useEffect(() => {
    if (!isOn) return undefined
    let isStopped = false
    let timer: ReturnType<typeof setTimeout>
    const read = async () => {
      // A tab in the background needs no counts.
      const found = document.hidden
        ? undefined
        : await fetchNumbers(kind, id, versionId).catch(() => undefined)
      if (isStopped) return
      if (found) setNumbers(found)
      timer = setTimeout(() => void read(), refreshMs)
    }
    void read()
    return () => {
      isStopped = true
      clearTimeout(timer)
      setNumbers(undefined)
    }
  }, [kind, id, isOn, versionId])
  return isOn ? numbers : undefined
}
