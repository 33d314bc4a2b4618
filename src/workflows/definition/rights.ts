/** Compares the rights that the nodes of a definition need with those of an account. */
import type { Access } from '../../identity/rights/reauthorize.ts'
import { fail, type Violation, violation } from '../../platform/errors.ts'
import { RightsMissing } from '../errors.ts'
import type { WorkflowKind } from '../nodes/node-type.ts'
import { getNodeRights } from '../nodes/rights.ts'
import type { WorkflowDefinition } from '../schemas.ts'
import { getDefinitionPath } from './definition.ts'

export interface RequiredRights {
  requiredScopes: string[]
  requiresAdmin: boolean
}

export function collectRights({ nodes }: WorkflowDefinition): RequiredRights {
  const rights = nodes.map(getNodeRights)
  return {
    requiredScopes: [...new Set(rights.flatMap(({ scopes }) => scopes))].sort(),
    requiresAdmin: rights.some(({ requiresAdmin }) => requiresAdmin),
  }
}

type Holder = Pick<Access, 'role' | 'scopes'>

const noAccess = 'account:active'
const isAdmin = ({ role }: Holder): boolean => role !== 'agent'

/** Returns what the account lacks: scopes, `role:admin`, or `account:active` if it has no access at all. */
export function findMissingRights(required: RequiredRights, holder: Holder | undefined): string[] {
  if (!holder) return [noAccess]
  return [
    ...required.requiredScopes.filter(scope => !holder.scopes.has(scope)),
    ...(required.requiresAdmin && !isAdmin(holder) ? ['role:admin'] : []),
  ]
}

export function describeMissing(missing: readonly string[]): string {
  return missing.includes(noAccess)
    ? 'the publisher was disabled or deleted, or lost its last key'
    : `the publisher lacks ${missing.join(', ')}`
}

/** Returns a violation for each node that needs more than the account holds. */
export function rightsViolations(
  kind: WorkflowKind,
  definition: WorkflowDefinition,
  holder: Holder,
): Violation[] {
  return definition.nodes.flatMap((node, i): Violation[] => {
    const { scopes, requiresAdmin } = getNodeRights(node)
    const field = `${getDefinitionPath(kind)}.nodes[${i}]`
    const name = `the ${node.type} node "${node.id}"`
    return [
      ...scopes
        .filter(scope => !holder.scopes.has(scope))
        .map(scope => violation(field, 'missing_scope', `${name} needs the scope ${scope}`)),
      ...(requiresAdmin && !isAdmin(holder)
        ? [violation(field, 'missing_role', `${name} needs the role owner or admin`)]
        : []),
    ]
  })
}

/** 403 with all violations. */
export function checkRights(kind: WorkflowKind, definition: WorkflowDefinition, holder: Holder): void {
  const violations = rightsViolations(kind, definition, holder)
  if (violations.length === 0) return
  const needs = violations.map(({ message }) => message).join('; ')
  fail(RightsMissing, `${needs}; let a colleague with these rights publish it`, { violations })
}
