import { z } from 'zod';
import { EXAMPLE_TIME, text, timestamp } from '../../core/primitives.ts';

/** When a security team watches: in business hours, round the clock on working days, or always. */
export const COVERAGES = ['business_hours', '24x5', '24x7'] as const;
export const RISK_APPETITES = ['low', 'moderate', 'high'] as const;

/** From 1, a nuisance, to 5, what the organization cannot do without. */
const criticality = z.int().min(1).max(5);
const names = (max: number) => z.array(text(120)).max(max);

const technology = z.object({
  name: text(120),
  category: text(60),
  vendor: text(120).nullish(),
  criticality,
});

const crownJewel = z.object({
  name: text(120),
  kind: text(60),
  criticality,
  owner_role: text(120).nullable(),
});

const criticalRole = z.object({
  role: text(120),
  holder: text(120).nullable(),
  deputy: text(120).nullable(),
});

/** What an organization says of itself. What it has not said is null, or an empty list. */
export const organizationProfile = z
  .object({
    name: text(200),
    industry: text(60).nullable(),
    employee_count: z.int().min(0).nullable(),
    regions: names(60),
    regulations: names(60),
    frameworks: names(60),
    tech_stack: z.array(technology).max(500),
    crown_jewels: z.array(crownJewel).max(100),
    critical_roles: z.array(criticalRole).max(100),
    security_team: z
      .object({ size: z.int().min(0), coverage: z.enum(COVERAGES), outsourced: z.boolean() })
      .nullable(),
    risk_appetite: z.enum(RISK_APPETITES).nullable(),
    version: z.int().min(0),
    updated_at: timestamp,
  })
  .meta({
    id: 'OrganizationProfile',
    example: {
      name: 'Demo Hospital',
      industry: 'healthcare',
      employee_count: 1800,
      regions: ['EU'],
      regulations: ['GDPR', 'NIS2'],
      frameworks: ['iso-27001-2022'],
      tech_stack: [{ name: 'Exchange Online', category: 'email', vendor: 'Microsoft', criticality: 4 }],
      crown_jewels: [
        { name: 'Patient records', kind: 'data', criticality: 5, owner_role: 'Chief medical officer' },
      ],
      critical_roles: [{ role: 'Incident commander', holder: 'Head of IT', deputy: null }],
      security_team: { size: 3, coverage: 'business_hours', outsourced: false },
      risk_appetite: 'low',
      version: 1,
      updated_at: EXAMPLE_TIME,
    },
  });
export type OrganizationProfile = z.output<typeof organizationProfile>;
