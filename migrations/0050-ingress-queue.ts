/** The queue of incoming activities. The next migration checks the existing rows. */
export const up = `
alter table jobs drop constraint jobs_queue_check,
  add constraint jobs_queue_check check (queue in ('default', 'network', 'ingress', 'media')) not valid;
`
