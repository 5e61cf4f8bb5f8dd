import { message } from '../../../lib/i18n/messages.ts'

/** Returns the message of an id that is made at run time, without values; undefined if there is none. */
export function findText(id: string): string | undefined {
  const text = (message as (id: string) => string)(id)
  return text === id ? undefined : text
}

/** Returns the type of a target in words; an unknown one as it is. */
export const nameOfTarget = (type: string): string => findText(`web.admin.audit.target.${type}`) ?? type

/** Returns an action in words; an unknown one as it is. */
export const nameOfAction = (action: string): string => findText(`web.admin.audit.action.${action}`) ?? action
