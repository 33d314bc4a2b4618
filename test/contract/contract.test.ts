/** The routes are the contract: every operation of the table, with its scopes, roles and success code, and no other. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { buildRoleScopes } from '../../src/identity/roles.ts'
import { operationId } from '../../src/platform/http/openapi.ts'
import { toOperation } from '../../src/platform/http/route.ts'

interface Operation {
  method: string
  path: string
  access?: 'public'
  scopes?: string[]
  roles?: string[]
  success: number
  ifMatch?: string
  conditionalScopes?: { when: string; scope: string }[]
}

const read = (file: string) => JSON.parse(readFileSync(new URL(`./spec/${file}`, import.meta.url), 'utf8'))
const contract = read('operations.json') as Operation[]
const extensions = read('extensions.json') as Operation[]
const name = (operation: { method: string; path: string }) => `${operation.method} ${operation.path}`
const roleScopes = buildRoleScopes(routes)
const served = new Map(routes.map(route => [toOperation(route), route]))

test('the contract has 102 operations and 54 scopes', () => {
  expect(contract).toHaveLength(102)
  const scopes = contract.flatMap(one => [
    ...(one.scopes ?? []),
    ...(one.conditionalScopes ?? []).map(two => two.scope),
  ])
  expect(new Set(scopes).size).toBe(54)
})

test('what is not served yet is exactly the list of what is to come', () => {
  const missing = [...contract, ...extensions].map(name).filter(operation => !served.has(operation))
  expect(missing).toEqual([])
})

test('nothing is served that neither table names', () => {
  const known = new Set([...contract, ...extensions].map(name))
  expect([...served.keys()].filter(operation => !known.has(operation))).toEqual([])
})

test('each route is there once and has a name of its own', () => {
  expect(served.size).toBe(routes.length)
  expect(new Set(routes.map(operationId)).size).toBe(routes.length)
})

const built = [
  ...contract.map(one => ({ ...one, extension: false })),
  ...extensions.map(one => ({ ...one, extension: true })),
].filter(one => served.has(name(one)))

describe.each(built.map(one => [name(one), one] as const))('%s', (operation, wanted) => {
  const route = served.get(operation)!
  test('asks for the scopes and roles of the table', () => {
    if (wanted.access === 'public') return expect(route.access).toBe('public')
    const access = route.access as Exclude<typeof route.access, 'public'>
    expect([...access.scopes].sort()).toEqual([...(wanted.scopes ?? [])].sort())
    expect([...access.roles].sort()).toEqual([...(wanted.roles ?? [])].sort())
    expect([...(access.conditionalScopes ?? [])]).toEqual(wanted.conditionalScopes ?? [])
  })
  test('answers with its success code and knows its precondition', () => {
    expect(route.success.status).toBe(wanted.success)
    expect(route.concurrency).toBe(wanted.ifMatch)
    expect(route.extension === true).toBe(wanted.extension)
  })
})

test("owner holds everything an admin holds, admin everything an agent holds; making owners is the owner's alone", () => {
  expect([...roleScopes.admin].filter(scope => !roleScopes.owner.has(scope))).toEqual([])
  expect([...roleScopes.agent].filter(scope => !roleScopes.admin.has(scope))).toEqual([])
  expect(roleScopes.owner.has('user:assign_role_owner')).toBe(true)
  expect(roleScopes.admin.has('user:assign_role_owner')).toBe(false)
})
