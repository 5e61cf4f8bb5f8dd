import { Type } from 'typebox'

/** A point in time in UTC: `YYYY-MM-DDThh:mm:ss.sssZ`. */
export const DateTime = Type.String({ format: 'date-time' })

/** A date without a time: `YYYY-MM-DD`. */
export const Day = Type.String({ format: 'date' })
