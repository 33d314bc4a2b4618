/** Told after the commit of whatever changes which workflows start runs; about: the workspace's id. */
export const workflowsChanged = 'workflows.changed'
