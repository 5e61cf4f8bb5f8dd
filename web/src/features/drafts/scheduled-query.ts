/** The key of the pages of scheduled posts. */
export const scheduledQueryKey = ['scheduled-statuses'] as const
