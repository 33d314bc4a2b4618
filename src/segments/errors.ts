import { problemKind } from '../platform/errors.ts'

export const SegmentNotFound = problemKind(404, 'segment_not_found', 'Segment not found')
export const SegmentInUse = problemKind(409, 'segment_in_use', 'A scheduled campaign uses the segment')
