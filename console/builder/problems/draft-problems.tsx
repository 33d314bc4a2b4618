/** The problems of a draft that the service refused to publish, named as in the builder, for screens outside of it. */
import { useEffect, useState } from 'react'
import { api, call } from '../../api/client.ts'
import type { Violation } from '../../api/errors.ts'
import { nameField } from '../fields/texts.ts'
import { type Definition, findNode, type WorkflowKind } from '../model/definition.ts'
import { toProblems } from '../model/problems.ts'
import { nameNode } from '../texts.ts'
import { describeReason } from './problem-texts.ts'

export interface DraftProblemsProps {
  kind: WorkflowKind
  workflowId: string
  violations: readonly Violation[]
  className?: string | undefined
}

const empty: Definition = { nodes: [], edges: [] }

async function fetchDraft(kind: WorkflowKind, id: string): Promise<Definition> {
  const params = { path: { id } }
  if (kind === 'journey') return (await call(api.GET('/journeys/{id}', { params }))).definition
  return (await call(api.GET('/chatbots/{id}', { params }))).draft
}

/** The violations have positions of nodes; their names come with the draft. */
export function DraftProblems({ kind, workflowId, violations, className }: DraftProblemsProps) {
  const [draft, setDraft] = useState<Definition>()
  useEffect(() => {
    fetchDraft(kind, workflowId).then(setDraft, () => setDraft(empty))
  }, [kind, workflowId])
  if (!draft) return null
  return (
    <ul className={className}>
      {toProblems({ violations, warnings: [] }, draft).map(problem => {
        const { nodeId, field, code, message } = problem
        const node = nodeId === undefined ? undefined : findNode(draft, nodeId)
        return (
          <li key={`${nodeId} ${field} ${code} ${message}`}>
            {node && <strong>{nameNode(node.type)} </strong>}
            {[nameField(field), describeReason(problem)].filter(Boolean).join(': ')}
          </li>
        )
      })}
    </ul>
  )
}
