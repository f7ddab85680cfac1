import { mongoConformance } from './conformance/mongo.ts';

const uri = process.env.MONGODB_URI;
if (!uri) throw new Error('MONGODB_URI is not set: run tests with npm test, which starts the engines');

mongoConformance(uri);
