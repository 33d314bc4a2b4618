import { problemKind } from '../platform/errors.ts'

export const SegmentNotFound = problemKind(404, 'segment_not_found', 'Segment not found')
