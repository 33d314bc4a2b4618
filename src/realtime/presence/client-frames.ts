/** Frames that clients send about what their user does: `watch`, `viewing` and `typing`. */
import Type, { type Static } from 'typebox'
import { AnyId, literals, nullable, object } from '../../platform/http/schemas.ts'
import { matchesSchema } from '../../platform/http/validate.ts'

export const maxWatched = 200

const shapes = {
  watch: object({
    conversationIds: Type.Array(AnyId, { maxItems: maxWatched }),
    workflowIds: Type.Optional(Type.Array(AnyId, { maxItems: maxWatched })),
  }),
  viewing: Type.Union([object({ conversationId: nullable(AnyId) }), object({ workflowId: AnyId })]),
  typing: object({ conversationId: AnyId, kind: nullable(literals(['reply', 'note'])) }),
}

const hints: Record<keyof typeof shapes, string> = {
  watch: `data must be {conversationIds, workflowIds?}, each with at most ${maxWatched} ids`,
  viewing: 'data must be {conversationId} or {workflowId}; conversationId is null when nothing is open',
  typing: 'data must be {conversationId, kind}, with the kind reply, note or null',
}

type ClientFrameType = keyof typeof shapes
/** The newest frame of each type that waits to be applied. */
export type PendingFrames = { [T in ClientFrameType]?: Static<(typeof shapes)[T]> }

/** Adds a frame to those that wait. Returns what is wrong with it; unknown frames are ignored. */
export function addFrame(pending: PendingFrames, bytes: string): string | undefined {
  const frame = parse(bytes)
  if (typeof frame?.type !== 'string' || !Object.hasOwn(shapes, frame.type)) return undefined
  const type = frame.type as ClientFrameType
  if (!matchesSchema(shapes[type], frame.data)) return hints[type]
  Object.assign(pending, { [type]: frame.data })
  return undefined
}

function parse(bytes: string): { type?: unknown; data?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(bytes)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
