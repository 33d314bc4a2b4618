import Type, { type Static } from 'typebox'
import { AnyId, literals, named, nullable, object, Timestamp } from '../../platform/http/schemas.ts'

const Count = Type.Integer({ minimum: 0 })

const groupings = ['day', 'hourOfDay', 'hourOfWeek', 'inbox', 'team', 'user'] as const
export type Grouping = (typeof groupings)[number]

const range = {
  from: Type.Optional({
    ...Timestamp,
    description: 'rounded down to the hour; default: seven days before `to`',
  }),
  to: Type.Optional({ ...Timestamp, description: 'exclusive, rounded up to the hour; default: now' }),
}
const filter = { inboxId: Type.Optional(AnyId), teamId: Type.Optional(AnyId) }

export const OverviewQuery = object({
  ...range,
  groupBy: Type.Optional(
    literals(groupings, {
      description: 'days and hours are those of the time zone of the workspace; default: `day`',
    }),
  ),
  ...filter,
  userId: Type.Optional({ ...AnyId, description: 'who replied or closed' }),
})

const Durations = named(
  'ReportDurations',
  object({
    count: Count,
    averageSeconds: nullable(Count),
    medianSeconds: { ...nullable(Count), description: 'estimated from counters of durations' },
  }),
)
export type Durations = Static<typeof Durations>

const figures = {
  opened: { ...Count, description: 'new sessions' },
  reopened: { ...Count, description: 'closed sessions that were opened again' },
  closed: Count,
  replies: { ...Count, description: 'of people to customers who waited' },
  firstReply: {
    ...Durations,
    description: 'from the first message of the customer to the first reply of a person',
  },
  waiting: { ...Durations, description: 'how long customers waited for each reply of a person' },
  resolution: { ...Durations, description: 'from opening to closing' },
}
const Figures = object(figures)
export type Figures = Static<typeof Figures>

export const ReportOverview = named(
  'ReportOverview',
  object({
    from: Timestamp,
    to: Timestamp,
    timezone: Type.String(),
    totals: Figures,
    groups: Type.Array(
      object({
        key: {
          ...nullable(Type.String()),
          description:
            'a date; an hour from 0 to 23; a weekday from 1 (Monday) to 7 and an hour, such as `1-13`; or an id; null: none',
        },
        ...figures,
      }),
    ),
  }),
)
export type ReportOverview = Static<typeof ReportOverview>

export const WaitingQuery = object(filter)

/** Waits of at least these seconds are counted together. */
export const waitingRanges = [0, 300, 900, 3_600, 14_400, 86_400] as const

const Waiting = object({
  count: Count,
  averageSeconds: nullable(Count),
  maxSeconds: nullable(Count),
})
export type Waiting = Static<typeof Waiting>

export const WaitingReport = named(
  'WaitingReport',
  object({
    at: Timestamp,
    firstReply: { ...Waiting, description: 'customers to whom no person has replied in this session' },
    nextReply: { ...Waiting, description: 'customers who wrote again' },
    ranges: Type.Array(
      object({
        fromSeconds: { ...Count, description: 'inclusive' },
        toSeconds: { ...nullable(Count), description: 'exclusive; null: no end' },
        firstReply: Count,
        nextReply: Count,
      }),
      { description: 'how long they have been waiting' },
    ),
  }),
)
export type WaitingReport = Static<typeof WaitingReport>

export const csatGroupings = ['day', 'inbox', 'team', 'user'] as const satisfies readonly Grouping[]

export const CsatQuery = object({
  ...range,
  groupBy: Type.Optional(
    literals(csatGroupings, {
      description: 'the day on which the survey was sent, in the time zone of the workspace; default: `day`',
    }),
  ),
  ...filter,
  userId: Type.Optional({ ...AnyId, description: 'the owner of the session, else who closed it' }),
})

const csatFigures = {
  sent: { ...Count, description: 'surveys' },
  count: { ...Count, description: 'ratings' },
  average: nullable(Type.Number({ minimum: 1, maximum: 5, description: 'with two decimals' })),
  distribution: Type.Array(Count, {
    minItems: 5,
    maxItems: 5,
    description: 'the number of ratings of 1, 2, 3, 4 and 5',
  }),
  responseRate: nullable(Type.Number({ minimum: 0, maximum: 1, description: 'ratings per survey' })),
}
const CsatFigures = object(csatFigures)
export type CsatFigures = Static<typeof CsatFigures>

export const CsatReport = named(
  'CsatReport',
  object({
    from: Timestamp,
    to: Timestamp,
    timezone: Type.String(),
    totals: CsatFigures,
    groups: Type.Array(
      object({
        key: { ...nullable(Type.String()), description: 'a date or an id; null: none' },
        ...csatFigures,
      }),
    ),
  }),
)
export type CsatReport = Static<typeof CsatReport>
