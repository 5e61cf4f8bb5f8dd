import type { Permission } from '../../accounts/staff-permissions.ts'
import type { BlockList } from './export-button.tsx'

/** A field of the form of a row. `name`: in the body of the request. */
export type ResourceField =
  | {
      type: 'line' | 'text' | 'domain' | 'email' | 'url'
      name: string
      label: string
      hint?: string
      isRequired?: boolean
    }
  | { type: 'switch'; name: string; label: string }
  | { type: 'choice'; name: string; label: string; options: readonly (readonly [value: string, label: string])[] }

/** The value of a choice that leaves a row as it is. Such a value is not sent. */
export const UNCHANGED = 'unchanged'

export type Values = Readonly<Record<string, string | boolean | number>>

/** Rows of the admin API with the form that changes them. */
export interface ResourceForm<Row extends { id: string }> {
  /** Below `/api/v1/admin`. */
  path: string
  /** The fields of the form of a row; null: of a new one. */
  fields(row: Row | null): readonly ResourceField[]
  /** The name of a row, and what else to say about it. */
  describe(row: Row): { name: string; details: string; comment: string }
  /** The values of a row, with which it can be created again. */
  valuesOf(row: Row): Values
  /** What the form of a row shows instead of these values. */
  shownValuesOf?(row: Row): Values
}

/** A list of the admin API whose rows can be created and deleted, with its texts. */
export interface Resource<Row extends { id: string }> extends ResourceForm<Row> {
  permission: Permission
  /** The name of the list if it can be exported. */
  exports?: BlockList
  /** `intro`: what the list does, above it. */
  texts: { empty: string; create: string; intro?: string }
  /** Whether rows can be changed. */
  isEditable: boolean
  /** The values of a new row. */
  initial: Values
}
