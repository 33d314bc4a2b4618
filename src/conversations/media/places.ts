/** Where a file lies in the blob store. */
export const blobOf = (tenantId: string, mediaId: string): string => `${tenantId}/media/${mediaId}`

export const thumbnailOf = (tenantId: string, mediaId: string): string =>
  `${blobOf(tenantId, mediaId)}/thumbnail`
