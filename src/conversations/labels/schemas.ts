import Type, { type Static } from 'typebox'
import { AnyId, named, nullable, object, Timestamp, visibleText } from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'

export const LabelId = idType('lbl')

const LabelName = visibleText(100)
const Color = Type.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  patternMessage: 'must be a color such as #2b59c3',
  examples: ['#2b59c3'],
})

export const Label = named(
  'Label',
  object({
    id: AnyId,
    name: Type.String(),
    color: Color,
    createdAt: Timestamp,
    createdBy: nullable(AnyId),
  }),
)
export type Label = Static<typeof Label>

export const NewLabel = object({
  name: LabelName,
  color: Type.Optional({ ...Color, description: 'grey by default' }),
})
export type NewLabel = Static<typeof NewLabel>

export const LabelPatch = object({ name: Type.Optional(LabelName), color: Type.Optional(Color) })
export type LabelPatch = Static<typeof LabelPatch>
