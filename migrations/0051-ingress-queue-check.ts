export const up = `alter table jobs validate constraint jobs_queue_check`
