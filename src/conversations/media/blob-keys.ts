/** Where a file lies in the blob store. */
export const mediaBlobKey = (tenantId: string, mediaId: string): string => `${tenantId}/media/${mediaId}`

export const thumbnailBlobKey = (tenantId: string, mediaId: string): string =>
  `${mediaBlobKey(tenantId, mediaId)}/thumbnail`
