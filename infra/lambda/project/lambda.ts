import { lambdaHandler } from 'reeve/lambda';
import { Project } from 'reeve/project';

/** The worker as a function of AWS Lambda: infra/lambda/template.yaml deploys it. */
export const handler = await lambdaHandler(await Project.find(import.meta.dirname));
