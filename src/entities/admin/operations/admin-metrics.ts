import { type Static, Type } from 'typebox'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

const MeasureDay = Type.Object({
  date: Type.With(DateTime, { description: 'Midnight UTC of the day.' }),
  value: Type.String({ description: 'A decimal number.' }),
})

export const AdminMeasure = Type.Object(
  {
    key: Type.String(),
    unit: nullable(Type.String(), { description: '`bytes`; null for counts.' }),
    total: Type.String({ description: 'Of the period; for `instance_` measures, of all times. A decimal number.' }),
    human_value: Type.Optional(Type.String({ description: 'The total with its unit, if it has one.' })),
    previous_total: Type.Optional(
      Type.String({ description: 'Of the preceding period of the same length; absent for `instance_` measures.' }),
    ),
    data: Type.Array(MeasureDay),
  },
  { $id: 'AdminMeasure', description: 'Numbers about the server by day (Admin::Measure).' },
)
export type AdminMeasure = Static<typeof AdminMeasure>

const DimensionValue = Type.Object({
  key: Type.String(),
  human_key: Type.String(),
  value: Type.String(),
  unit: Type.Optional(Type.String()),
  human_value: Type.Optional(Type.String()),
})

export const AdminDimension = Type.Object(
  { key: Type.String(), data: Type.Array(DimensionValue, { description: 'The highest values first.' }) },
  { $id: 'AdminDimension', description: 'Properties of the server with their frequencies (Admin::Dimension).' },
)
export type AdminDimension = Static<typeof AdminDimension>

const CohortPeriod = Type.Object({
  date: Type.With(DateTime, { description: 'When the day or month begins.' }),
  rate: Type.Number({ description: 'The part of the cohort, from 0 to 1.' }),
  value: Type.String({ description: 'The number of users, in decimal.' }),
})

export const AdminCohort = Type.Object(
  {
    period: Type.With(DateTime, { description: 'When the day or month of the registrations begins.' }),
    frequency: oneOf(['day', 'month']),
    data: Type.Array(CohortPeriod),
  },
  { $id: 'AdminCohort', description: 'Users who registered in a day or month, and their retention (Admin::Cohort).' },
)
export type AdminCohort = Static<typeof AdminCohort>
