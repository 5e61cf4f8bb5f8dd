import { createDateFormat } from '../../../lib/i18n/formats.ts'
import { locale } from '../../../lib/i18n/messages.ts'

/* Days and months of measures are those of UTC. */
const day = createDateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' })
const month = createDateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' })
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
const signedPercent = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
})

/** `14 May`. */
export const formatDay = (time: string): string => day.format(new Date(time))

/** `May 2026`. */
export const formatMonth = (time: string): string => month.format(new Date(time))

/** `25%`. `rate`: from 0 to 1. */
export const formatRate = (rate: number): string => percent.format(rate)

/** `+25%`. `change`: in percent. */
export const formatChange = (change: number): string => signedPercent.format(change / 100)
