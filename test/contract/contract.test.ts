/** Tests that the routes match the contract: all operations with their scopes, roles and success codes, and no others. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { buildRoleScopes } from '../../src/identity/rights/roles.ts'
import { getAccess, toOperation } from '../../src/platform/http/route.ts'

interface Operation {
  method: string
  path: string
  access?: 'public' | 'visitor'
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
  const scopes = contract.flatMap(operation => [
    ...(operation.scopes ?? []),
    ...(operation.conditionalScopes ?? []).map(({ scope }) => scope),
  ])
  expect(new Set(scopes).size).toBe(54)
})

test('every operation of the contract is served', () => {
  const missing = [...contract, ...extensions].map(name).filter(operation => !served.has(operation))
  expect(missing).toEqual([])
})

test('no operation outside the contract and its extensions is served', () => {
  const known = new Set([...contract, ...extensions].map(name))
  expect([...served.keys()].filter(operation => !known.has(operation))).toEqual([])
})

test('each route exists once and has a unique operation id and a description', () => {
  expect(served.size).toBe(routes.length)
  expect(new Set(routes.map(route => route.operationId)).size).toBe(routes.length)
  for (const { operationId } of routes) expect(operationId).toMatch(/^[a-z][a-zA-Z]+$/)
  const undescribed = routes.filter(route => !route.description)
  expect(undescribed.map(toOperation)).toEqual([])
})

const operations = [
  ...contract.map(operation => ({ ...operation, extension: false })),
  ...extensions.map(operation => ({ ...operation, extension: true })),
]

describe.each(operations.map(operation => [name(operation), operation] as const))('%s', (id, expected) => {
  const route = served.get(id)!
  test('requires the scopes and roles of the contract', () => {
    if (expected.access) return expect(route.access).toBe(expected.access)
    const access = getAccess(route)!
    expect([...access.scopes].sort()).toEqual([...(expected.scopes ?? [])].sort())
    expect([...access.roles].sort()).toEqual([...(expected.roles ?? [])].sort())
    expect([...(access.conditionalScopes ?? [])]).toEqual(expected.conditionalScopes ?? [])
  })
  test('declares its success code and precondition', () => {
    expect(route.success.status).toBe(expected.success)
    expect(route.concurrency).toBe(expected.ifMatch)
    expect(route.extension === true).toBe(expected.extension)
  })
})

test('owners have all scopes of admins, admins all scopes of agents; only owners can create owners', () => {
  expect([...roleScopes.admin].filter(scope => !roleScopes.owner.has(scope))).toEqual([])
  expect([...roleScopes.agent].filter(scope => !roleScopes.admin.has(scope))).toEqual([])
  expect(roleScopes.owner.has('user:assign_role_owner')).toBe(true)
  expect(roleScopes.admin.has('user:assign_role_owner')).toBe(false)
})
