/** The templates, in the order in which they are offered. */
import { appointment } from './chatbots/appointment.ts'
import { faq } from './chatbots/faq.ts'
import { handoff } from './chatbots/handoff.ts'
import { leadCapture } from './chatbots/lead-capture.ts'
import { menu } from './chatbots/menu.ts'
import { optIn } from './chatbots/opt-in.ts'
import { abandonedCart } from './journeys/abandoned-cart.ts'
import { birthday } from './journeys/birthday.ts'
import { feedback } from './journeys/feedback.ts'
import { reEngagement } from './journeys/re-engagement.ts'
import { vip } from './journeys/vip.ts'
import { welcome } from './journeys/welcome.ts'
import type { WorkflowTemplate } from './template.ts'

export const templates: readonly WorkflowTemplate[] = [
  welcome,
  abandonedCart,
  birthday,
  reEngagement,
  vip,
  feedback,
  menu,
  leadCapture,
  faq,
  appointment,
  handoff,
  optIn,
]

export function findTemplate(id: string): WorkflowTemplate | undefined {
  return templates.find(template => template.id === id)
}
