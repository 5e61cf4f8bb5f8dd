import { createDateFormat } from './formats.ts'

const day = createDateFormat({ dateStyle: 'long', timeZone: 'UTC' })

/** `14 May 2026`, of a day that the API gives in UTC. */
export const formatUtcDay = (time: Date): string => day.format(time)
