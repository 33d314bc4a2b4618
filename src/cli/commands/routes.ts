import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { routes } from '../../app.ts'
import type { Route } from '../../platform/http/route.ts'
import { projectRoot } from '../../platform/project-root.ts'
import { command } from '../command.ts'
import { jsonFlag, print } from '../with-database.ts'

export const routesCommand = command({
  meta: { name: 'routes', description: 'List all operations: method, path, scopes, roles, file and line' },
  args: jsonFlag,
  run: ({ args }) => {
    const locations = findLocations()
    const rows = [...routes]
      .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
      .map(route => describe(route, locations))
    const widths = [0, 1, 2, 3].map(column => Math.max(...rows.map(row => row[column]!.length)))
    const lines = rows.map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    print(
      args.json,
      rows.map(([method, path, scopes, roles, place]) => ({ method, path, scopes, roles, place })),
      lines,
    )
  },
})

function describe(route: Route, locations: Map<string, string>): string[] {
  const { access } = route
  const scopes =
    typeof access === 'string'
      ? access
      : [...access.scopes, ...(access.conditionalScopes ?? []).map(({ scope }) => `(${scope})`)].join(' ') ||
        '-'
  const roles = typeof access === 'string' ? '-' : access.roles.map(role => role[0]!.toUpperCase()).join('')
  return [route.method, route.path, scopes, roles, locations.get(`${route.method} ${route.path}`) ?? '']
}

function findLocations(): Map<string, string> {
  const locations = new Map<string, string>()
  for (const file of listSources(path.join(projectRoot, 'src'))) {
    const lines = readFileSync(file, 'utf8').split('\n')
    lines.forEach((line, i) => {
      const operation = /\('([A-Z]+ \/[^']*)', \{$/.exec(line)?.[1]
      if (operation) locations.set(operation, `${path.relative(projectRoot, file)}:${i + 1}`)
    })
  }
  return locations
}

function listSources(directory: string): string[] {
  try {
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    return files
      .filter(file => /routes.*\.ts$/.test(file) && !file.endsWith('.test.ts'))
      .map(file => path.join(directory, file))
  } catch {
    return []
  }
}
