/** Told after the commit of a run that sleeps until a time, so that whoever wakes runs looks again. */
export const timerSet = 'workflows.timer'
