/**
 * There are four queues, so that jobs of one do not wait for jobs of another. The search for the next job of a queue
 * never reads jobs of the others. `default`: work within this server. `network`: requests to other servers. `ingress`:
 * incoming activities. `media`: conversions that take minutes of processor time.
 */
export type QueueName = 'default' | 'network' | 'ingress' | 'media'

/** The id of a job. */
export const JOB_ID = /^\d{1,18}$/
