/** Finds the cells of a move that is in progress, or of a new one; undefined if the workspace is there already. */
import type { Cell } from '../cell.ts'
import { findDepartures } from './departures.ts'
import { MoveRefused } from './session.ts'
import type { MoveRequest } from './types.ts'

export { MoveRefused } from './session.ts'

export async function findMoveCells(
  cells: readonly Cell[],
  tenantId: string,
  to: string | undefined,
): Promise<MoveRequest | undefined> {
  const [home] = cells
  if (!home || cells.length < 2) throw new MoveRefused('moving a workspace needs DATABASE_CELLS')
  const get = (name: string): Cell => {
    const cell = cells.find(each => each.name === name)
    if (!cell)
      throw new MoveRefused(
        `unknown cell ${name}: DATABASE_CELLS has ${cells.map(each => each.name).join(', ')}`,
      )
    if (!cell.isUsable) throw new MoveRefused(`the database of the cell ${name} is not reachable`)
    return cell
  }
  for (const from of cells.filter(cell => cell.isUsable)) {
    const known = (await findDepartures(from.deps.db)).find(row => row.tenantId === tenantId)
    if (known && known.state !== 'active')
      return { tenantId, from, to: get(to ?? known.cell), home: home.deps }
  }
  if (to === undefined) throw new MoveRefused('the workspace is not being moved; name the cell with --to')
  const target = get(to)
  const { name } = (await home.deps.cells.of(tenantId)).cell
  return name === target.name ? undefined : { tenantId, from: get(name), to: target, home: home.deps }
}
