import { problemKind } from '../platform/errors.ts'

export const SegmentNotFound = problemKind(404, 'segment_not_found', 'There is no such segment')
