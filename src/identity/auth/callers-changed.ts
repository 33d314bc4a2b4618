/** Signal about a workspace, sent with `tx.signal` by every change of a caller's access. */
export const callersChanged = 'identity.callers_changed'
