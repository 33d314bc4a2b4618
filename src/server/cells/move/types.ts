/** The values that the steps of a move share. */
import type { Deps } from '../../../platform/deps.ts'
import type { Cell } from '../cell.ts'
import type { MovedTable } from './catalog.ts'
import type { Session } from './session.ts'

export interface MoveSessions {
  tenantId: string
  source: Session
  target: Session
  /** All tables that are moved. */
  tables: readonly MovedTable[]
}

export interface MoveObserver {
  onCopied(progress: TableProgress): void
  onVerified(verified: Verified): void
  onPaused(pause: { ms: number; switched: boolean; reason?: string }): void
  onRemoved(removed: { table: string; rows: number }): void
  onStep(step: string): void
}

export interface MoveRequest {
  tenantId: string
  from: Cell
  to: Cell
  home: Deps
}

export interface TableProgress {
  table: string
  rows: number
  isComplete: boolean
}

export interface Verified {
  table: string
  rows: number
  /** Rows that differed when they were compared. */
  different: number
}
