import { Type } from 'typebox'

/** A moment in UTC: `YYYY-MM-DDThh:mm:ss.sssZ`. */
export const DateTime = Type.String({ format: 'date-time' })

/** A day without a time: `YYYY-MM-DD`. */
export const Day = Type.String({ format: 'date' })
